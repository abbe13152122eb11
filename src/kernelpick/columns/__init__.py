"""What the columns of a stream become: inputs, which are numbers.

    frame, dict, matrix -> table (values, read and checked) -> columns (which inputs there are) -> rows for a model

A value decides by itself what it is. A number or boolean is the input of its column's own name. A text is an input of
0 and 1 for each of the first 256 values of a column, then one of 64 hashed inputs. A time is the seconds since the
column's first one, and points on the circles of the day and the week. What is missing is NaN, which the model replaces
by the mean so far, and an indicator. An input is born at the row that first needs it, and all is decided row by row in
order, so that the result does not depend on how rows are cut into calls.
"""

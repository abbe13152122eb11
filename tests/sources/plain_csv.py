"""CSV a second time, character by character: the definition that the readers are compared with.

A field begins quoted or not. In a quoted one a quote is doubled or closes it, and then a delimiter or the end of the
line must follow; in a field that is not quoted a quote is a character like any other. A record lies on one line, or
on several if a quote is open at the end of its first one, and if no line of them holds a quote out of place; else the
first line is bad on its own.
"""


def records(text, delimiter):
    """(line, fields or None where it is bad) of each record that is not blank."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    found, at = [], 0
    while at < len(lines):
        fields, state, _ = parse(lines[at].removesuffix("\r"), delimiter)
        last = at
        if lines[at].removesuffix("\r").strip(" ") == "":
            at += 1
            continue
        if state != "closed" and lines[at].count('"') % 2:
            last = next((i for i in range(at + 1, len(lines)) if lines[i].count('"') % 2), at)
            fields, state, stray = parse("\n".join(lines[at : last + 1]).removesuffix("\r"), delimiter)
            if last == at or state != "closed" or stray:
                last, state = at, "bad"
        found.append((at + 1, fields if state == "closed" else None))
        at = last + 1
    return found


def parse(text, delimiter):
    """Fields, how it ended (closed, open, bad), and whether there is a quote in a field that is not quoted."""
    fields, field, place, stray = [], "", 0, False
    quoted = text[:1] == '"'
    place = int(quoted)
    while True:
        one = text[place : place + 1]
        if quoted:
            if one == "":
                return fields, "open", stray
            if one != '"':
                field, place = field + one, place + 1
                continue
            following = text[place + 1 : place + 2]
            if following == '"':
                field, place = field + '"', place + 2
                continue
            if following not in ("", delimiter):
                return fields, "bad", stray
            place, one = place + 1, following
        if one in ("", delimiter):
            fields.append(field)
            if one == "":
                return fields, "closed", stray
            place, field = place + 1, ""
            quoted = text[place : place + 1] == '"'
            place += int(quoted)
            continue
        if one in "\r\n":
            return fields, "bad", stray
        stray = stray or one == '"'
        field, place = field + one, place + 1

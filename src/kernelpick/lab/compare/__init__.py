"""`kernelpick compare`: algorithms and peers on one stream, each predicting a row before it sees the label."""

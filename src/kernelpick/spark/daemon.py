"""What Spark forks its Python workers from: its own daemon, with kernelpick loaded once for all of them."""

from pyspark.daemon import manager

import kernelpick.sklearn  # noqa: F401

if __name__ == "__main__":
    manager()

"""What Spark forks its Python workers from: its own daemon, with what all of them need loaded once."""

from importlib import import_module

LOADED = ("pandas", "pyarrow", "pyspark.worker", "kernelpick.sklearn", "kernelpick.spark.playing")

if __name__ == "__main__":
    for module in LOADED:
        import_module(module)
    import_module("pyspark.daemon").manager()

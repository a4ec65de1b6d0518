"""Spark for all commands: one session, made, kept quiet and ended in one place."""

from auditor.formats.spark.opening import open_spark as open_spark

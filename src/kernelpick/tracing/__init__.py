"""The research interface: run an algorithm over given rows, and see what happened in every round."""

from kernelpick.tracing.one import trace
from kernelpick.tracing.runs import Trace
from kernelpick.tracing.several import Traces, traces

__all__ = ["Trace", "Traces", "trace", "traces"]

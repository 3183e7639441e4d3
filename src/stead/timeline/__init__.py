"""Timelines: dated stories that say what a correct memory answers at each point (R41)."""

from stead.timeline.report import Failure, Report, as_dict, exit_status, lines
from stead.timeline.run import run_paths, run_story
from stead.timeline.story import Step, Story, parse_story, read_story

__all__ = [
    "Failure",
    "Report",
    "Step",
    "Story",
    "as_dict",
    "exit_status",
    "lines",
    "parse_story",
    "read_story",
    "run_paths",
    "run_story",
]

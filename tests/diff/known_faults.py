"""What is known to be different, and why that is not our mistake.

One line of FAULTS each: the peers, the kinds of difference, a name, the reason with the
section of the specification that decides it, and a test that is true for this difference
and for nothing else. Whatever no line is true for stops the run.
"""

FAULTS = []

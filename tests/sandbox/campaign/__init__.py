"""Random traffic with random faults: the whole product against a sandbox in its own process, both watched.

`python -m tests.sandbox.campaign --seconds 90 --seed 7` runs it by hand and prints the report;
`tests/sandbox/test_campaign_traffic.py` runs it at full length in the campaign.
"""

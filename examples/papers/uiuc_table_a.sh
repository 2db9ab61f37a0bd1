#!/bin/sh
# Table A: the same with a second judge, and the agreement of both (Figure G).
. "$(dirname "$0")/uiuc.sh"
pilot PPTPilot --option rounds=1 --option router=model
pptarena runs judge "$RUNS" --judge "$JUDGE" --judge "$SECOND_JUDGE" \
    --judge-prompt "${JUDGE_PROMPT:-uiuc}"

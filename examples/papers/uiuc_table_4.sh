#!/bin/sh
# Table 4: ablations of the judge and of PPTPilot.
. "$(dirname "$0")/uiuc.sh"
pilot hybrid --option rounds=1 --option router=model
pilot xml-only --option rounds=1 --option router=xml
pilot python-pptx-only --option rounds=1 --option router=program
pilot hybrid-loop-3 --option rounds=4 --option router=model --option reflection=editor
pptarena runs judge "$RUNS" --judge "$JUDGE" --evidence no-pictures ${PICTURES:+--evidence dual \
    --evidence no-diffs --evidence single}

#!/bin/sh
# Table 3: instruction following and visual quality by category, of PPTPilot and other products.
. "$(dirname "$0")/uiuc.sh"
pilot PPTPilot --option rounds=1 --option router=model
for product in ${PRODUCTS:-}; do # folders of decks, one per case
    pptarena runs import "$product" --suite "$SUITE" --agent "$(basename "$product")" \
        --out "$RUNS/$(basename "$product")"
done
pptarena runs judge "$RUNS" --judge "$JUDGE" --judge-prompt "${JUDGE_PROMPT:-uiuc}"

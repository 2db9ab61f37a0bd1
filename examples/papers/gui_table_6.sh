#!/bin/sh
# Tables 6 and 7: proposed tasks, their reviews, and the numbers of refinements by reason.
. "$(dirname "$0")/common.sh"
DECK=${DECK:-meridian}
if [ ! -d "$OUT/tasks" ]; then
    pptarena tasks propose "$DECK" --count "$SAMPLE" --prove "${PROVE:-file}" --out "$OUT/tasks" \
        ${EXPLORER:+--model "$EXPLORER" --base-url "$BASE_URL"}
    pptarena tasks review "$OUT/tasks/$(basename "$DECK" .pptx)-proposal-1" --by Ada \
        --decision refine --reason "clarity" --instruction "Underline the title of slide 4."
fi
pptarena tasks review "$OUT/tasks"

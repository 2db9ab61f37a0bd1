# Import the cases of UIUC, your copy of the benchmark; without it, two cases of the same format.
. "$(dirname "$0")/common.sh"
if [ -z "${UIUC:-}" ]; then
    UIUC=$OUT/copy
    python "$papers/uiuc_cases.py" "$UIUC"
fi
[ -d "$OUT/cases" ] || pptarena tasks import uiuc "$UIUC" --out "$OUT/cases"
SUITE=$OUT/cases
SAMPLE=0
RUNS=$OUT/runs

# pilot NAME ARGUMENTS: run a variant of PPTPilot, stored under this name.
pilot() {
    name=$1
    shift
    pptarena run --env doc --suite "$SUITE" --agent pptpilot --model "$MODEL" --dialect json \
        --base-url "$BASE_URL" --option "slides=${SLIDES:-0}" --option "name=$name" --out "$RUNS" "$@"
}

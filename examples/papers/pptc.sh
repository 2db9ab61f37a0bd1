# Import the sessions of PPTC, your copy of the benchmark; without it, a session of the same format.
. "$(dirname "$0")/common.sh"
if [ -z "${PPTC:-}" ]; then
    PPTC=$OUT/Create_new_slides
    mkdir -p "$PPTC"
    cat > "$PPTC/session_1.json" << 'END'
{"Turn": 0, "User instruction": "Name the slide Tents.", "Feasible API sequence": "choose_title();insert_text('Tents');", "Base File": "", "Label File": "", "API Lack Base File": "", "API Lack Label File": ""}
{"Turn": 1, "User instruction": "Add a red star on the left. ## 0, star, slide, left", "Feasible API sequence": "insert_star();align_slide_left();set_fill_color('red');", "Base File": "", "Label File": "", "API Lack Base File": "", "API Lack Label File": ""}
{"Turn": 2, "User instruction": "Add a table with 2 rows and 2 columns.", "Feasible API sequence": "insert_table(2,2);", "Base File": "", "Label File": "", "API Lack Base File": "", "API Lack Label File": ""}
END
fi
for form in turn session; do
    [ -d "$OUT/$form" ] || pptarena tasks import pptc "$PPTC" --out "$OUT/$form" --form "$form"
done
RUNS=$OUT/runs

# baselines ARGUMENTS: run baselines on the turns and the sessions.
baselines() {
    for form in turn session; do
        pptarena run --env doc --suite "$OUT/$form" --model "$MODEL" --base-url "$BASE_URL" \
            --out "$RUNS" "$@"
    done
}

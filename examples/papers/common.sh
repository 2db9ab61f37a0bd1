# Settings and functions of all scripts in this folder. Environment variables change the settings.
set -eu

: "${OUT:=runs/papers/$(basename "$0" .sh)}" # folder of the results
: "${SUITE:=starter}"                        # suite, such as bench
: "${SAMPLE:=2}"                             # number of tasks; 0 for all
: "${STEPS:=3}"                              # step limit; 0 for that of the tasks
: "${MACHINE:=fake}"                         # machine, such as sandbox
: "${MODEL:=scripted}"                       # model
: "${JUDGE:=scripted-judge}"                 # judge model
: "${SECOND_JUDGE:=scripted-second}"         # judge model to compare with
export OUT SUITE MACHINE MODEL
papers=$(dirname "$0")
mkdir -p "$OUT"

# BASE_URL is the service of the models. Without it, the scripted endpoint replies.
if [ -z "${BASE_URL:-}" ]; then
    python "$papers/scripted_endpoint.py" > "$OUT/endpoint" &
    trap "kill $! && rm -f '$OUT/endpoint'" EXIT
    until [ -s "$OUT/endpoint" ]; do sleep 0.1; done
    BASE_URL=$(cat "$OUT/endpoint")
    NO_PROXY=127.0.0.1
    export NO_PROXY
fi
PPTARENA_JUDGE_URL=${PPTARENA_JUDGE_URL:-$BASE_URL}
export PPTARENA_JUDGE_URL

limit=
[ "$STEPS" = 0 ] || limit="--max-steps $STEPS"

# on_screen ARGUMENTS: run agents on the screen.
on_screen() {
    # shellcheck disable=SC2086
    pptarena run --machine "$MACHINE" --suite "$SUITE" --sample "$SAMPLE" $limit --out "$OUT" "$@"
}

# on_documents ARGUMENTS: run agents on documents.
on_documents() {
    pptarena run --env doc --suite "$SUITE" --sample "$SAMPLE" --out "$OUT" "$@"
}

# model NAME ARGUMENTS: run a model on the screen, stored under this name.
model() {
    name=$1
    shift
    on_screen --agent model --model "$MODEL" --base-url "$BASE_URL" --option "name=$name" "$@"
}

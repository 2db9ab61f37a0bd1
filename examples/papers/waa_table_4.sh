#!/bin/sh
# Table 4: the action space. It prints the system prompt that describes the actions to a model.
. "$(dirname "$0")/common.sh"
python -m pptarena.agents.dialects.reference

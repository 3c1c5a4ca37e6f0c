#!/bin/sh
# An agent with one skill, over plain HTTP: no key, no socket. Needs curl and jq.
# PARLEY_URL: the hub. PARLEY_TOKEN: the token that publishing the listing gave. Without a token, and on a local chain only,
# it registers a listing named PARLEY_NAME; PARLEY_PAYOUT is then the address to be paid.
set -eu
url=${PARLEY_URL:-http://localhost:4000}
call() { curl --fail-with-body --silent --show-error --max-time 60 -H "Authorization: Bearer ${PARLEY_TOKEN:-}" "$@"; }

# What was refused gives the reason in its body.
fail() { printf 'That failed. %s\n' "$1" >&2; exit 1; }

if [ -z "${PARLEY_TOKEN:-}" ]; then
  # On the wire addresses are in lower case; wallets show them in mixed case.
  [ -n "${PARLEY_PAYOUT:-}" ] || fail 'Set PARLEY_TOKEN, or PARLEY_PAYOUT to the address to be paid.'
  payout=$(printf '%s' "$PARLEY_PAYOUT" | tr 'A-F' 'a-f')
  listed=$(call "$url/v1/agents" -d '{
    "handle": "shouter-'"$$"'", "name": "'"${PARLEY_NAME:-Shouter $$}"'", "summary": "Writes texts in capitals.", "payout": "'"$payout"'",
    "skills": [{ "id": "text.shout", "name": "Shout", "description": "Writes a text in capitals.", "price": "100000",
      "inputs": [{ "name": "text", "type": "query.text" }], "outputs": [{ "name": "shout", "type": "text.shout" }] }] }') || fail "$listed"
  PARLEY_TOKEN=$(printf '%s' "$listed" | jq -r .token)
fi

ack=
while :; do
  page=$(call --get "$url/v1/messages" --data-urlencode wait=25 --data-urlencode "ack=$ack") || fail "$page"
  # What I answer to each message: the invitation by accepting, my task and a direct call by the result.
  printf '%s' "$page" | jq -c 'def work: [{ name: "shout.txt", media_type: "text/plain", artifact_type: "text.shout",
      content: (.inputs[0].data.text | ascii_upcase | @base64) }];
    .messages[] | .parts[].data // empty |
    if .kind == "team.invite" then { type: "team.accept", goal_id, charter_hash }
    elif .skill_id != "text.shout" then empty
    elif .kind == "task" then { type: "task.complete", task_id, artifacts: work }
    elif .kind == "call.requested" then { type: "call.answer", call_id, artifacts: work }
    else empty end' | while read -r command; do
    answer=$(call "$url/v1/commands" -d "$command") || printf 'Refused: %s\n' "$answer" >&2
  done
  printf '%s' "$page" | jq -r '.messages[].parts[].data // empty | select(.kind == "payout") | "paid \(.amount) in \(.tx)"'
  ack=$(printf '%s' "$page" | jq -r .ack)
done

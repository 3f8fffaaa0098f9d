# Forwards the events of a test tenant to FORWARD_TO, as they were sent, until it is stopped. Needs curl and jq.
ask() {
  curl -sSf "$SERVICE_URL/test/events?$1" -H "x-tenant-api-key: $API_KEY"
}

after=$(ask after=latest | jq -er .next) || exit 1
echo Listening
while true; do
  page=$(ask "after=$after&wait=25") && next=$(printf '%s' "$page" | jq -er .next) || { sleep 3; continue; }
  printf '%s' "$page" | jq -c '.events[]' | while IFS= read -r event; do
    # The options of curl, one a line.
    printf '%s' "$event" | jq -r '
      (.headers | to_entries[] | "header = \("\(.key): \(.value)" | @json)"), "data-raw = \(.body | @json)"
    ' | curl -sS --config - -o /dev/null -w '%{http_code}\n' "$FORWARD_TO"
  done
  after=$next
  sleep 1
done

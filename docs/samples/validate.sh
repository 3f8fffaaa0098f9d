curl -sS "$SERVICE_URL/tokens/validate" \
  -H "x-tenant-api-key: $API_KEY" \
  -H 'content-type: application/json' \
  -d "{\"token\":\"$TOKEN\"}"

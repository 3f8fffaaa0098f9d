curl -sS -X POST "$SERVICE_URL/verify/start" \
  -H "x-tenant-api-key: $API_KEY"

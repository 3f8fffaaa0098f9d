curl -sS "$SERVICE_URL/verify/status?verificationId=$VERIFICATION_ID" \
  -H "x-tenant-api-key: $API_KEY"

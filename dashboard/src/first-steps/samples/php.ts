import type { Call } from './languages.ts'

/** For PHP 8 with its curl extension. */
export function phpSamples(baseUrl: string): Record<Call, string> {
  const call = (url: string, body: string, result: string) => `<?php
$curl = curl_init(${url});
curl_setopt_array($curl, [
${body}    CURLOPT_HTTPHEADER => [
        'x-tenant-api-key: ' . getenv('API_KEY'),
        'content-type: application/json',
    ],
    CURLOPT_RETURNTRANSFER => true,
]);
$body = curl_exec($curl);
if ($body === false) {
    exit(curl_error($curl) . PHP_EOL);
}
if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) >= 400) {
    exit($body . PHP_EOL);
}
$result = json_decode($body, true);
echo ${result}, PHP_EOL;
`
  return {
    start: call(
      `'${baseUrl}/verify/start'`,
      "    CURLOPT_POSTFIELDS => '{}',\n",
      "$result['verificationId'], ' ', $result['sessionUrl']",
    ),
    status: call(
      `'${baseUrl}/verify/status?verificationId=' . getenv('VERIFICATION_ID')`,
      '',
      "$result['status'], ' ', json_encode($result['over18'] ?? null), ' ', $result['token'] ?? ''",
    ),
    validate: call(
      `'${baseUrl}/tokens/validate'`,
      "    CURLOPT_POSTFIELDS => json_encode(['token' => getenv('TOKEN')]),\n",
      "json_encode($result['valid']), ' ', $result['reason']",
    ),
  }
}

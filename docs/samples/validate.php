<?php
$curl = curl_init(getenv('SERVICE_URL') . '/tokens/validate');
curl_setopt_array($curl, [
    CURLOPT_POSTFIELDS => json_encode(['token' => getenv('TOKEN')]),
    CURLOPT_HTTPHEADER => [
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
echo json_encode($result['valid']), ' ', $result['reason'], PHP_EOL;

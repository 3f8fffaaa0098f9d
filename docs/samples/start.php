<?php
$curl = curl_init(getenv('SERVICE_URL') . '/verify/start');
curl_setopt_array($curl, [
    CURLOPT_POSTFIELDS => '{}',
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
echo $result['verificationId'], ' ', $result['sessionUrl'], PHP_EOL;

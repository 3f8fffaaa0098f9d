<?php
// Decides about the verifications in the folder INBOX, once each. Run it every second, or as a job of your framework.
foreach (['SERVICE_URL', 'API_KEY', 'INBOX'] as $name) {
    if (!getenv($name)) {
        fwrite(STDERR, "Set $name" . PHP_EOL);
        exit(1);
    }
}
foreach (glob(getenv('INBOX') . '/*') as $file) {
    if (filesize($file) > 0) {
        continue;
    }
    $verificationId = basename($file);
    $curl = curl_init(getenv('SERVICE_URL') . "/verify/status?verificationId=$verificationId");
    curl_setopt_array($curl, [
        CURLOPT_HTTPHEADER => ['x-tenant-api-key: ' . getenv('API_KEY')],
        CURLOPT_RETURNTRANSFER => true,
    ]);
    $result = json_decode(curl_exec($curl) ?: '', true);
    if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 200) {
        continue; // It is tried again at the next run.
    }
    // Approved does not mean 18 or over: only over18 decides.
    $decision = $result['over18'] === true ? 'admit' : 'refuse';
    file_put_contents($file, $decision);
    echo "$verificationId $decision", PHP_EOL;
}

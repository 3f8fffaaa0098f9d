<?php
// Stores an authentic event, once, as a file in the folder INBOX; decide.php is the job that takes it from there.
$secrets = array_map('trim', explode(',', getenv('WEBHOOK_SECRETS') ?: ''));
if (preg_grep('/^whsec_[\w-]+$/', $secrets, PREG_GREP_INVERT) || !getenv('INBOX')) {
    error_log('Set INBOX, and WEBHOOK_SECRETS to webhook secrets, separated by commas, without quotes');
    exit(http_response_code(500));
}
$body = file_get_contents('php://input');
$signature = strtolower($_SERVER['HTTP_X_WEBHOOK_SIGNATURE'] ?? '');
$signed = array_filter($secrets, function ($secret) use ($body, $signature) {
    return hash_equals(hash_hmac('sha256', $body, $secret), $signature);
});
if (!$signed) {
    exit(http_response_code(401));
}
$message = json_decode($body, true);
if (!is_array($message)) {
    exit(http_response_code(400));
}
$isFresh = time() - strtotime($message['timestamp']) < 24 * 60 * 60;
if ($message['event'] === 'verification.completed' && $isFresh) {
    $file = getenv('INBOX') . '/' . $message['data']['verificationId'];
    // Fails if the file exists. In production: a table with a unique key.
    @fopen($file, 'x') || file_exists($file) || exit(http_response_code(500));
}
http_response_code(204);

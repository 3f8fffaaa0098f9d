<?php
// Start an age verification, wait for its result, receive its event, check its token: php age_verification.php
// Needs PHP 8.2 or newer with curl, openssl and zlib. Reads its settings from the environment.
declare(strict_types=1);

if (PHP_SAPI !== 'cli') {
    http_response_code(receive());
} elseif (realpath($argv[0]) === __FILE__) {
    try {
        main($argv[1] ?? '', $argv[2] ?? '');
    } catch (Throwable $error) {
        fwrite(STDERR, $error->getMessage() . PHP_EOL);
        exit(1);
    }
}

function main(string $command, string $argument): void
{
    if ($command === 'start') {
        $started = call('POST', '/verify/start');
        echo "$started[verificationId] $started[sessionUrl]", PHP_EOL;
    } elseif ($command === 'wait') {
        $result = wait_for_completion($argument);
        echo $result['status'], ' ', json_encode($result['over18']), ' ', $result['token'] ?? '', PHP_EOL;
    } elseif ($command === 'validate') {
        $verdict = call('POST', '/tokens/validate', ['token' => $argument]);
        echo json_encode($verdict['valid']), ' ', $verdict['reason'], PHP_EOL;
    } elseif ($command === 'verify') {
        $verifier = new TokenVerifier(setting('SERVICE_URL'), setting('TENANT_ID'), time(...), fetch(...));
        echo json_encode($verifier->isAdult($argument)), PHP_EOL;
    } elseif ($command === 'decide') {
        array_map(setting(...), ['SERVICE_URL', 'API_KEY', 'INBOX']);
        decide(setting('INBOX'));
    } else {
        throw new Exception('Use start, wait VERIFICATION_ID, validate TOKEN, verify TOKEN or decide');
    }
}

function setting(string $name): string
{
    return getenv($name) ?: throw new Exception("Set $name");
}

// ---- The tenant API

/** The exception's code is the number of seconds after which it may be tried again. */
class TemporaryFailure extends Exception
{
}

/** Returns the response of the tenant API. Throws with what it says is wrong. */
function call(string $method, string $path, array $input = []): array
{
    $curl = curl_init(setting('SERVICE_URL') . $path);
    curl_setopt_array($curl, [
        CURLOPT_HTTPHEADER => ['x-tenant-api-key: ' . setting('API_KEY'), 'content-type: application/json'],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 40,
    ]);
    if ($method === 'POST') {
        curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode((object) $input));
    }
    $body = curl_exec($curl);
    if ($body === false) {
        throw new TemporaryFailure(curl_error($curl), 3);
    }
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    $result = json_decode($body, true);
    if ($status < 300 && is_array($result)) {
        return $result;
    }
    $message = "$status " . ($result['error'] ?? '') . ': ' . ($result['message'] ?? 'not a response of the service');
    if ($status < 400 || $status === 429 || $status >= 500) {
        $seconds = curl_getinfo($curl, CURLINFO_RETRY_AFTER);
        throw new TemporaryFailure($message, $seconds >= 1 ? min($seconds, 60) : 3);
    }
    throw new Exception($message);
}

/** The status of this verification. An answer about another one, or of a proxy, is none. */
function read_status(string $verificationId, string $parameters = ''): array
{
    $result = call('GET', '/verify/status?verificationId=' . urlencode($verificationId) . $parameters);
    $id = $result['verificationId'] ?? null;
    if (!is_string($id) || strcasecmp($id, $verificationId) !== 0) {
        throw new TemporaryFailure('Not an answer about this verification', 3);
    }
    return $result;
}

/** The service responds as soon as there is a result, or after 25 seconds. */
function wait_for_completion(string $verificationId): array
{
    $deadline = time() + 15 * 60;
    while (time() < $deadline) {
        try {
            $result = read_status($verificationId, '&wait=25');
            if (is_string($result['completedAt'] ?? null)) {
                return $result;
            }
            sleep(1);
        } catch (TemporaryFailure $failure) {
            sleep($failure->getCode());
        }
    }
    throw new Exception('The verification is not completed yet');
}

// ---- Webhook events

/** Stores an authentic event, once, as a file in the folder INBOX. Returns the status to respond with. */
function receive(): int
{
    $secrets = array_map('trim', explode(',', getenv('WEBHOOK_SECRETS') ?: ''));
    if (preg_grep('/^whsec_[\w-]+$/D', $secrets, PREG_GREP_INVERT) || !getenv('INBOX')) {
        error_log('Set INBOX, and WEBHOOK_SECRETS to webhook secrets, separated by commas, without quotes');
        return 500;
    }
    $body = file_get_contents('php://input');
    $signature = strtolower($_SERVER['HTTP_X_WEBHOOK_SIGNATURE'] ?? '');
    $matches = fn($secret) => hash_equals(hash_hmac('sha256', $body, $secret), $signature);
    if (!array_filter($secrets, $matches)) {
        return 401;
    }
    $message = json_decode($body, true);
    if (!is_array($message)) {
        return 400;
    }
    $isFresh = time() - strtotime($message['timestamp']) < 24 * 60 * 60;
    if ($message['event'] === 'verification.completed' && $isFresh) {
        $file = getenv('INBOX') . '/' . $message['data']['verificationId'];
        // Fails if the file exists. In production: a table with a unique key.
        if (!@fopen($file, 'x') && !file_exists($file)) {
            return 500;
        }
    }
    return 204;
}

/** Decides about the verifications in the folder INBOX, once each. Run it every second, or as a job of your framework. */
function decide(string $inbox): void
{
    foreach (array_filter(glob("$inbox/*"), fn($file) => filesize($file) === 0) as $file) {
        $verificationId = basename($file);
        try {
            $result = read_status($verificationId);
        } catch (Exception $error) {
            fwrite(STDERR, "$verificationId {$error->getMessage()}" . PHP_EOL);
            continue; // It is tried again at the next run.
        }
        // Approved does not mean 18 or over: only over18 decides.
        $decision = $result['over18'] === true ? 'admit' : 'refuse';
        file_put_contents($file, $decision);
        echo "$verificationId $decision", PHP_EOL;
    }
}

// ---- Tokens, offline

final class TokenVerifier
{
    public function __construct(
        private string $issuer,
        private string $audience,
        private Closure $now,
        private Closure $fetch,
    ) {
    }

    /** Throws if the token is not authentic, or if it can't be known whether it was revoked: don't admit. */
    public function isAdult(string $token): bool
    {
        $claims = $this->readClaims($token, 'JWT');
        if (($claims['aud'] ?? null) !== $this->audience) {
            throw new Exception('The token is of another tenant');
        }
        $revoked = $this->isRevoked($claims['status']['status_list'] ?? []);
        return !$revoked && ($claims['over18'] ?? null) === true;
    }

    /** In production, keep each list for its ttl. */
    private function isRevoked(array $reference): bool
    {
        ['idx' => $index, 'uri' => $uri] = $reference + ['idx' => null, 'uri' => null];
        if (!is_int($index) || $index < 0 || !str_starts_with($uri ?? '', "$this->issuer/tokens/status-lists/")) {
            throw new Exception('The token has no status list of the issuer');
        }
        $claims = $this->readClaims(($this->fetch)($uri), 'statuslist+jwt');
        if (($claims['sub'] ?? null) !== $uri) {
            throw new Exception('The status list is another one');
        }
        $bits = @gzuncompress(self::decode($claims['status_list']['lst'] ?? ''), 1 << 20);
        if ($bits === false || $index >= strlen($bits) * 8) {
            throw new Exception('The status list is too short');
        }
        return (ord($bits[$index >> 3]) >> ($index & 7) & 1) === 1;
    }

    /** The claims of a token that the issuer signed, and that has not expired. */
    private function readClaims(string $token, string $type): array
    {
        $parts = explode('.', $token);
        if (count($parts) !== 3) {
            throw new Exception('Not a token');
        }
        $header = self::readObject($parts[0]);
        // Never what the token asks for: ES256 only, and nothing that has to be understood.
        $isOurs = ($header['alg'] ?? null) === 'ES256' && ($header['typ'] ?? null) === $type;
        if (!$isOurs || array_key_exists('crit', $header)) {
            throw new Exception("Not a token of the type $type");
        }
        $key = $this->findKey($header['kid'] ?? null);
        $signature = self::toDer(self::decode($parts[2]));
        if (openssl_verify("$parts[0].$parts[1]", $signature, $key, OPENSSL_ALGO_SHA256) !== 1) {
            throw new Exception('The signature is wrong');
        }
        $claims = self::readObject($parts[1]);
        $expiry = $claims['exp'] ?? null;
        if (($claims['iss'] ?? null) !== $this->issuer || !is_int($expiry) || $expiry <= ($this->now)()) {
            throw new Exception('The token has expired, or is of another issuer');
        }
        return $claims;
    }

    /** In production, keep the keys, and fetch them again for an unknown kid. */
    private function findKey(mixed $kid): string
    {
        $jwks = json_decode(($this->fetch)("$this->issuer/.well-known/jwks.json"), true, 8, JSON_THROW_ON_ERROR);
        foreach ($jwks['keys'] as $key) {
            if ($key['kid'] === $kid && $key['crv'] === 'P-256') {
                // What precedes the coordinates of each P-256 key, in DER.
                $start = hex2bin('3059301306072a8648ce3d020106082a8648ce3d03010703420004');
                $der = base64_encode($start . self::decode($key['x']) . self::decode($key['y']));
                return "-----BEGIN PUBLIC KEY-----\n$der\n-----END PUBLIC KEY-----\n";
            }
        }
        throw new Exception('The key is not published');
    }

    /** The two numbers of a signature, as OpenSSL reads them. */
    private static function toDer(string $signature): string
    {
        if (strlen($signature) !== 64) {
            throw new Exception('The signature is wrong');
        }
        $numbers = '';
        foreach (str_split($signature, 32) as $bytes) {
            $bytes = ltrim($bytes, "\0");
            $positive = ord($bytes[0] ?? "\x80") > 127 ? "\0$bytes" : $bytes;
            $numbers .= "\x02" . chr(strlen($positive)) . $positive;
        }
        return "\x30" . chr(strlen($numbers)) . $numbers;
    }

    private static function readObject(string $part): array
    {
        $value = json_decode(self::decode($part), true, 16, JSON_THROW_ON_ERROR);
        return is_array($value) ? $value : throw new Exception('Not a JSON object');
    }

    /** Accepts the one spelling that bytes have in base64url. */
    private static function decode(string $part): string
    {
        $bytes = base64_decode(strtr($part, '-_', '+/'), true);
        if ($bytes === false || rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=') !== $part) {
            throw new Exception('Not base64url');
        }
        return $bytes;
    }
}

function fetch(string $url): string
{
    $curl = curl_init($url);
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 10]);
    $body = curl_exec($curl);
    if ($body === false || curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 200) {
        throw new Exception("$url can't be fetched");
    }
    return $body;
}

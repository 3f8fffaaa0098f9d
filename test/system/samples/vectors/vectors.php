<?php
// Prints the verdict on each token of the standard input.
require 'age_verification.php';

foreach (json_decode(stream_get_contents(STDIN), true)['vectors'] as $vector) {
    $fetch = fn(string $url) => $vector['responses'][$url] ?? throw new Exception('Not found');
    $verifier = new TokenVerifier($vector['issuer'], $vector['audience'], fn() => $vector['now'], $fetch);
    try {
        echo json_encode($verifier->isAdult($vector['token'])), PHP_EOL;
    } catch (Throwable) {
        echo 'error', PHP_EOL;
    }
}

<?php
// The four operations with PHP's curl extension, and json_encode at its defaults.
declare(strict_types=1);

require __DIR__ . '/batch.php';

function call(string $operation, string $path, array $headers = [], array $options = []): void
{
    $curl = curl_init(getenv('BASE_URL') . '/rest/warehouse-control/' . $path);
    curl_setopt_array($curl, $options + [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_USERPWD => getenv('USERNAME') . ':' . getenv('PASSWORD'),
        CURLOPT_HTTPHEADER => ['Content-Type: application/json', ...$headers],
    ]);
    $answer = curl_exec($curl);
    if ($answer === false) {
        throw new RuntimeException(curl_error($curl));
    }
    report($operation, curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $answer);
}

function post(array $body): array
{
    return [CURLOPT_POSTFIELDS => json_encode($body)];
}

// The semicolon makes libcurl send the header with an empty value.
call('change', 'changes', ['Accept-Encoding;'], post(change()));
// An empty CURLOPT_ENCODING requests and unpacks every coding of libcurl.
call('material-codes', 'material-codes', ['Content-Length: 0'], [CURLOPT_ENCODING => '']);
call('purchase-orders', 'purchase-orders', ['Content-Length: 0']);
call('balances', 'material-stock-balance', [], post(batch(200)) + [CURLOPT_ENCODING => 'gzip']);
call('balances-expect', 'material-stock-balance', ['Expect: 100-continue'], post(batch(200)));
call('balances-large', 'material-stock-balance', [], post(batch(12000)));
call('balances-large-anyauth', 'material-stock-balance', [], post(batch(12000)) + [CURLOPT_HTTPAUTH => CURLAUTH_ANY]);

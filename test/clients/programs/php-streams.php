<?php
// The four operations with PHP's own HTTP streams. The argument is the HTTP version. 1.0 was the default before PHP 8.
declare(strict_types=1);

require __DIR__ . '/batch.php';

$version = isset($argv[1]) ? ['protocol_version' => (float) $argv[1]] : [];

function call(string $operation, string $path, array $http): void
{
    $credentials = base64_encode(getenv('USERNAME') . ':' . getenv('PASSWORD'));
    $headers = ["Authorization: Basic $credentials", 'Content-Type: application/json', ...($http['header'] ?? [])];
    $context = stream_context_create(['http' => ['header' => $headers] + $http]);
    $response = file_get_contents(getenv('BASE_URL') . '/rest/warehouse-control/' . $path, false, $context);
    if ($response === false) {
        throw new RuntimeException("No response to $operation.");
    }
    report($operation, (int) explode(' ', $http_response_header[0])[1], $response);
}

function post(array $body): array
{
    return ['method' => 'POST', 'content' => json_encode($body)];
}

call('change', 'changes', $version + post(change()) + ['header' => ['Accept-Encoding:']]);
call('material-codes', 'material-codes', $version + ['header' => ['Content-Length: 0']]);
call('purchase-orders', 'purchase-orders', $version + ['header' => ['Content-Length: 0']]);
call('balances', 'material-stock-balance', $version + post(batch(200)));

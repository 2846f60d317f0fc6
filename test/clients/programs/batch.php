<?php
declare(strict_types=1);

function entry(int $i): array
{
    $orders = [];
    for ($k = 0; $k < $i % 5; $k++) {
        $orders[] = sprintf('OT%07d', $i + $k % 2);
    }
    return [
        'MaterialCode' => ['Сталь-10/А,', 'ABC-', 'Кабель,ВВГ/'][$i % 3] . $i,
        'StockBalance' => ($i % 7 - 3) * (1000 * $i + 67) / 1000,
        'StockBalanceUnit' => 'kg',
        // json_encode writes an empty array as [].
        'PurchaseOrders' => $orders ?: new stdClass(),
    ];
}

function batch(int $count): array
{
    return ['MaterialCodes' => array_map(entry(...), range(0, $count - 1))];
}

function change(): array
{
    return ['Timestamp' => (new DateTime('now', new DateTimeZone('UTC')))->format('Y-m-d\TH:i:s,v\Z')];
}

function report(string $operation, int $status, string $response): void
{
    $body = json_decode($response, flags: JSON_THROW_ON_ERROR);
    echo json_encode(['operation' => $operation, 'status' => $status, 'body' => $body]), "\n";
}

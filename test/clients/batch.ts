const KINDS = ['Сталь-10/А,', 'ABC-', 'Кабель,ВВГ/'];

/** Every program builds its batches by this rule, in its own language. */
export const codeOf = (index: number) => `${KINDS[index % 3]}${index}`;
const balanceOf = (index: number) => (((index % 7) - 3) * (1_000 * index + 67)) / 1_000;
const ordersOf = (index: number) => Array.from({ length: index % 5 }, (_, k) => orderOf(index + (k % 2)));
export const orderOf = (number: number) => `OT${String(number).padStart(7, '0')}`;

/** The items of a batch as DynamoDB stores them. Numbers are text, so every digit counts. */
export const storedBalances = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      codeOf(index),
      {
        M: {
          StockBalance: { N: String(balanceOf(index)) },
          StockBalanceUnit: { S: 'kg' },
          PurchaseOrders: { L: ordersOf(index).map((order) => ({ S: order })) },
        },
      },
    ]),
  );

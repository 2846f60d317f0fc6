import { isIP } from 'node:net';

export const isCidr = (range: string) => {
  const [, address = '', bits] = /^([\da-f.:]+)\/(0|[1-9]\d{0,2})$/i.exec(range) ?? [];
  const maxBits = { 4: 32, 6: 128 }[isIP(address)];
  return maxBits !== undefined && Number(bits) <= maxBits;
};

/** Whether the address of a valid range has only zeros after the bits that the range fixes. */
export const beginsWithFirstAddress = (range: string) => {
  const [address = '', fixed] = range.split('/');
  return /^0*$/.test(bitsOf(address).slice(Number(fixed)));
};

const bitsOf = (address: string) => {
  if (isIP(address) === 4) return toBits(address.split('.'), 10, 8);
  // A URL has no dotted part, and at most one gap.
  const [before = '', after = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [partsOf(before), partsOf(after)] as const;
  const gap = Array<string>(8 - first.length - last.length).fill('0');
  return toBits([...first, ...gap, ...last], 16, 16);
};

const partsOf = (text: string) => text.split(':').filter(Boolean);

const toBits = (parts: readonly string[], base: number, length: number) =>
  parts.map((part) => Number.parseInt(part, base).toString(2).padStart(length, '0')).join('');

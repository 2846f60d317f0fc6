import { isIP } from 'node:net';

export const isCidr = (range: string) => {
  const [, address = '', bits] = /^([\da-f.:]+)\/(0|[1-9]\d{0,2})$/i.exec(range) ?? [];
  const maxBits = { 4: 32, 6: 128 }[isIP(address)];
  return maxBits !== undefined && Number(bits) <= maxBits;
};

/** Whether the address of a valid range has only zeros after the bits that the range fixes. */
export const beginsWithFirstAddress = (range: string) => {
  const [address = '', fixed] = range.split('/');
  const bits = isIP(address) === 4 ? bitsOf(`::ffff:${address}`).slice(96) : bitsOf(address);
  return /^0*$/.test(bits.slice(Number(fixed)));
};

const bitsOf = (address: string) => {
  // A URL has no dotted part, and at most one gap.
  const halves = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before = [], after = []] = halves.map((half) => half.split(':').filter(Boolean));
  const gap = Array<string>(8 - before.length - after.length).fill('0');
  const parts = [...before, ...gap, ...after];
  return parts.map((part) => Number.parseInt(part, 16).toString(2).padStart(16, '0')).join('');
};

import { BlockList, isIPv6 } from 'node:net';

export const isAddressDenied = (policy: unknown, sourceIp: string) => {
  const { Statement = [] } = Object(policy);
  return [Statement].flat().some((statement: unknown) => {
    const { Effect, Condition } = Object(statement);
    const ranges = Object(Object(Condition).NotIpAddress)['aws:SourceIp'];
    return Effect === 'Deny' && ranges !== undefined && !isWithin([ranges].flat().map(String), sourceIp);
  });
};

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

const isWithin = (ranges: string[], address: string) => {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/');
    list.addSubnet(network, Number(bits), familyOf(network));
  }
  return list.check(address, familyOf(address));
};

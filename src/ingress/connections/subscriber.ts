// What counts as one caller where there is no key: an address of IPv4, and of IPv6 the /64, which is what one subscriber has.

/** @param address as sockets and X-Forwarded-For have it */
export function subscriber(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  // `::` stands for as many zeros as are missing.
  const [head = [], tail = []] = address.split('::').map(part => part.split(':'))
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0')
  return [...head, ...(address.includes('::') ? zeros : []), ...tail].slice(0, 4).join(':')
}

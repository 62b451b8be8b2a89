// One caller where there is no key: an IPv4 address, or an IPv6 /64, which is what one subscriber has.

/** @param address in the form of sockets and of X-Forwarded-For */
export function subscriber(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  // `::` stands for as many zeros as are missing.
  const [head = [], tail = []] = address.split('::').map(part => part.split(':'))
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0')
  return [...head, ...(address.includes('::') ? zeros : []), ...tail].slice(0, 4).join(':')
}

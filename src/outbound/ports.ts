// Ports that browsers do not call by HTTP either: servers of other protocols listen there, and would take a POST for a probe or for commands. These
// are the "bad ports" of the Fetch standard (WHATWG, fetch.spec.whatwg.org/#port-blocking).

/** @param port as URL.port writes it: empty for the scheme's default */
export const isOtherProtocols = (port: string): boolean => port !== '' && BAD_PORTS.has(Number(port))

const BAD_PORTS = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95],
  ...[101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179],
  ...[389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636],
  ...[989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061],
  ...[6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
])

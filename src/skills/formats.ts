// The formats that schemas of apps may name. Each is looked at in linear time.
import { isIPv4, isIPv6 } from 'node:net'
import { isDate, isDateTime } from '../ingress/validate.ts'

const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i

export const FORMATS: Record<string, true | ((text: string) => boolean)> = {
  'date-time': isDateTime,
  date: isDate,
  time: text => TIME.test(text),
  duration: text => text.length <= 100 && /^P(?!$)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/.test(text),
  email: isEmail,
  'idn-email': isEmail,
  hostname: isHost,
  'idn-hostname': isHost,
  ipv4: isIPv4,
  ipv6: isIPv6,
  uri: text => /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text),
  iri: text => /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text),
  'uri-reference': text => URL.canParse(text, 'https://base.example'),
  'iri-reference': text => URL.canParse(text, 'https://base.example'),
  uuid: text => /^(urn:uuid:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
  // Annotations, for what they say of a value cannot be wrong or is not ours to judge.
  'json-pointer': true,
  regex: true,
  byte: true,
  binary: true,
  password: true,
  int32: true,
  int64: true,
  float: true,
  double: true,
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  return at > 0 && at <= 64 && !/[\s<>"(),:;]/.test(text) && isHost(text.slice(at + 1))
}

function isHost(text: string): boolean {
  return text.length <= 253 && text.split('.').every(label => LABEL.test(label))
}

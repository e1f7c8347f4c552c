import { isIPv4, isIPv6 } from 'node:net';
import { MAX_FORMAT_CHARS } from '../limits.js';

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

const isDate = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  // Date.parse reads February 30th as March 1st.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};
const isHostname = (text: string): boolean => text.length <= 253 && text.split('.').every((part) => LABEL.test(part));
const isUri = (text: string): boolean => /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]*$/i.test(text);

/** The formats that are checked, each in linear time. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: (text) => TIME.test(text),
  'date-time': (text) => isDate(text.slice(0, 10)) && /^[t\s]$/i.test(text.charAt(10)) && TIME.test(text.slice(11)),
  duration: (text) => /^P(?!$)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?$/.test(text),
  email: (text) => /^[^\s@"(),:;<>[\\\]]+@[^\s@]+$/.test(text) && isHostname(text.slice(text.indexOf('@') + 1)),
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: isIPv6,
  uri: isUri,
  url: isUri,
  'uri-reference': (text) => /^[^\s<>"{}|\\^`]*$/.test(text),
  uuid: (text) => /^(?:urn:uuid:)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  'json-pointer': (text) => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text),
};

/** Checks whether a text has a format. Returns true for unknown formats. */
export function isOfFormat(format: string, text: string): boolean {
  const check = Object.hasOwn(formats, format) ? formats[format] : undefined;
  return check === undefined || (text.length <= MAX_FORMAT_CHARS && check(text));
}

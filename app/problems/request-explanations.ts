/** What is wrong with a request before anybody has looked at what it asks for. */
export const requestExplanations = {
  'request.malformed': {
    meaning: 'The request does not have the form it should have.',
    remedy: 'Correct the field that the answer names, then send it again.',
  },
  'request.too_large': {
    meaning: 'The request, or the answer to it, is larger than this server handles at once.',
    remedy: 'Send or ask for less at once; files go up one by one, each under 2 MiB.',
  },
  'request.id_reused': {
    meaning: 'The id of this request was used before, for something else.',
    remedy: 'Send it under a new id.',
  },
  'request.not_found': {
    meaning: 'There is nothing at this address for this method.',
    remedy: 'Compare method and path with the list of routes that the answer gives.',
  },
  'request.unknown_command': {
    meaning: 'There is no command or procedure of that name.',
    remedy: 'Compare the name with the protocol’s list of commands.',
  },
  'request.unknown_critical': {
    meaning: 'The message marks an extension as critical that this server does not know.',
    remedy: 'Leave the extension out of crit, or send it to a server that knows it.',
  },
} as const

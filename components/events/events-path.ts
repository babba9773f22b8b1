/** Where the events of a network are listed. */
export function eventsPath(network: string): string {
  return `/${network}/developers/events`;
}

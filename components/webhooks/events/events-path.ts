/** Returns the path of a network's event list. */
export function eventsPath(network: string): string {
  return `/${network}/developers/events`;
}

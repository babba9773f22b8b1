/** Returns the path of a network's webhook list. */
export function webhooksPath(network: string): string {
  return `/${network}/developers/webhooks`;
}

/** Returns the path below which each delivery has its page. */
export function deliveriesPath(network: string): string {
  return `${webhooksPath(network)}/deliveries`;
}

/** What a person is told of an error: the service's own words with the remedy, else that something failed here. */
export function messageOf(error: unknown): string {
  // Errors of the SDK and of the vault carry a code and a message that is written for people.
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.message;
  return "Something failed in this page. Reload it and try again.";
}

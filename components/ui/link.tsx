import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link to a page of ours. It fetches nothing before it is followed: a page of the dashboard is rendered for each
 * request, and Next would ask the server for every link in view, again after each change.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}

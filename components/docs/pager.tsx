import { ArrowLeft, ArrowRight } from "lucide-react";
import { apiReference } from "@/lib/http/docs/api-reference";
import { navigation, neighbours } from "@/lib/http/docs/navigation";

/** Links to the previous and next page, at the end of a page. */
export async function Pager({ href }: { href: string }) {
  const { previous, next } = neighbours(navigation(await apiReference()), href);
  return (
    <nav aria-label="Previous and next page" className="docs-pager">
      {previous && (
        <a href={previous.href}>
          <span>
            <ArrowLeft size={14} aria-hidden /> Previous
          </span>
          {previous.title}
        </a>
      )}
      {next && (
        <a href={next.href} data-next>
          <span>
            Next <ArrowRight size={14} aria-hidden />
          </span>
          {next.title}
        </a>
      )}
    </nav>
  );
}

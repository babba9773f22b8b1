import { SkeletonPage } from "@/components/ui/skeleton";

export default function Loading() {
  return <SkeletonPage />;
}

export { answerStream as GET } from "@/lib/http/answer-stream";

@echo off
rem The command line of this clone on Windows: halcyon --help. ./halcyon does the same elsewhere.
node "%~dp0sdk\bin\halcyon.mjs" %*

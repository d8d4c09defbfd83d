"""`mastermind-policy.yml`: rules that every change of a repository is held against."""

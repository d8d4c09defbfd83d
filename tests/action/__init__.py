"""`action.yml` and the example workflow, run as the runner of GitHub Actions would."""

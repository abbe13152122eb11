"""What long work needs: a journal of results, workers, progress, stamps."""

//! Tables for anyone who speaks the Arrow PyCapsule interface.

use arrow_array::RecordBatch;
use mmcg_engine::tables::Table;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::PyTable;

/// A table of the graph. It can be read any number of times.
#[pyclass(frozen, module = "mmcg._core")]
pub struct ArrowTable {
    batches: Vec<RecordBatch>,
}

impl From<Table> for ArrowTable {
    fn from(table: Table) -> Self {
        Self { batches: table.batches }
    }
}

#[pymethods]
impl ArrowTable {
    /// The rows as an Arrow stream.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // Batches share their buffers, so the copy is cheap.
        let table = PyTable::try_new(self.batches.clone(), self.batches[0].schema())?;
        let arguments = (requested_schema,);
        Bound::new(py, table)?.call_method1(pyo3::intern!(py, "__arrow_c_stream__"), arguments)
    }

    /// How many rows there are.
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.batches[0].schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }
}

// Package scope decides which questions code and specifications of the backend cannot answer:
// those on present values of data and services, on other areas only, and on procedures or
// people's judgement. It knows English and Japanese wordings.
package scope

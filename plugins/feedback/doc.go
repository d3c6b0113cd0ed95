// Package feedback is the strategy that searches again with words of the best sections: blind relevance
// feedback by the model RM3.
package feedback
